/* lab-ns3: media on top of a congestion control: what is encoded, what waits, what comes of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A Media object belongs to one source. The source asks it for a frame whenever one is due and takes
 * packets from its queue; the sink tells which packets arrived. Times are seconds of the simulation,
 * sizes are bytes of RTP packets. */
#ifndef LAB_NS3_MEDIA_H
#define LAB_NS3_MEDIA_H

#include "options.h"

#include <tfrc/sender.h>
#include <tfrcadapt/adapt.h>
#include <tfrcadapt/loss-share.h>
#include <tfrcadapt/playout-delay.h>
#include <tfrcadapt/quality.h>

#include "ns3/random-variable-stream.h"

#include <deque>
#include <memory>
#include <vector>

namespace lab {

/* What a controller says to the encoder. */
struct Conditions {
  TfrcAllowance allowance;      /* of the engine's sender */
  bool expired;                 /* the nofeedback timer reduced X */
};

class Media {
 public:
  explicit Media (const Options & options);
  virtual ~Media () = default;

  /* A frame is due now: it goes into the queue. Returns the seconds to the next one. */
  virtual double encode (double now) = 0;
  /* Forgets frames that have waited too long. */
  void drop_stale (double now);
  size_t get_waiting () const { return m_waiting.size (); }
  uint32_t get_waiting_bytes () const;
  uint32_t get_next_size () const;
  void on_sent (double now);    /* the packet at the head of the queue */
  /* The packet that was sent as number `number`, counted from 0, arrived. */
  void on_arrived (int64_t number, double now);
  virtual void on_conditions (const Conditions &, double) {}
  virtual void set_target (double) {}   /* bit/s of RTP payload */
  virtual void describe (std::map<std::string, double> & metrics, double from, double to) const;
  /* Mean one-way delay in ms of the packets that arrived in that second; 0: none did. */
  double get_delay_ms (unsigned second) const;

 protected:
  struct Frame {
    double made = 0;            /* s */
    unsigned parts = 0, arrived = 0;    /* packets */
    double complete = 0;        /* s; with arrived == parts */
    bool dropped = false;       /* before it was sent */
  };
  struct Part {
    uint32_t size = 0;
    unsigned frame = 0;
    double sent = 0, arrived = 0;       /* s; arrived 0: it did not */
  };
  void add_frame (double now, const std::vector<uint32_t> & sizes);
  virtual void on_part (const Part &, double) {}

  const Options m_options;
  std::vector<Frame> m_frames;
  std::vector<Part> m_sent;
  std::deque<Part> m_waiting;
  int64_t m_highest = -1, m_arrived = 0;        /* packets */
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
};

/* A voice call: the operating point is what tfrcadapt chooses, the listener has tfrcadapt's playout
 * delay, and the E-model scores what was played. */
class Voice : public Media {
 public:
  explicit Voice (const Options & options, uint64_t seed);
  double encode (double now) override;
  void on_conditions (const Conditions & conditions, double now) override;
  void describe (std::map<std::string, double> & metrics, double from, double to) const override;

 private:
  struct Sound {
    TfrcAdaptPoint point;
    TfrcAdaptCopies copies {};
    bool seen = false, heard = false, own = false;      /* own: its own packet was in time */
    double delay = 0;           /* s from its encoding to its playout; with heard */
  };
  void on_part (const Part & part, double now) override;
  void on_sound (unsigned frame, bool own, double now);
  void on_adapt (unsigned bits);
  void follow_fastest (double transit, double now);
  double get_rating (unsigned begin, unsigned end, bool with_delay) const;

  std::vector<uint64_t> m_block;
  TfrcAdapt *m_adapt;
  TfrcAdaptChoice m_choice;
  TfrcAdaptLossShare m_loss;
  TfrcAdaptPlayoutDelay m_playout;
  Conditions m_last {};
  double m_told = -1, m_next_loss = 0;  /* s */
  double m_fastest = 0, m_fastest_of_window = 0, m_fastest_next = 0, m_window_end = 0;  /* s */
  unsigned m_switches = 0;
  std::vector<Sound> m_sounds;
};

/* Video of a synthetic encoder (RFC 8593 6.1, in its steady state): a fixed frame rate, frame sizes
 * that scatter around the target, and an encoder that takes a new target every 0.2 s at most. */
class Video : public Media {
 public:
  explicit Video (const Options & options, uint64_t seed);
  double encode (double now) override;
  void on_conditions (const Conditions & conditions, double now) override;
  void set_target (double bitrate) override;
  void describe (std::map<std::string, double> & metrics, double from, double to) const override;

 private:
  double draw_scatter ();

  double m_target, m_used;      /* bit/s: asked for, and used by the encoder */
  double m_taken = -1;          /* s, when the encoder took its target */
};

/* Media as the flow's options ask for: "voice", "video"; nothing for "". */
std::unique_ptr<Media> make_media (const Options & options, uint64_t seed);

}  // namespace lab
#endif
