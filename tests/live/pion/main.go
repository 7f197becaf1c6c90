// gst-tfrc: a Pion end that hears a call of webrtcbin, and reports what arrives
// Copyright (C) 2026 The gst-tfrc developers
// SPDX-License-Identifier: LGPL-2.1-or-later
//
//	tfrc-pion twcc|ccfb < OFFER
//
// The first line of the input is the offer as JSON ({"type", "sdp"}), the first line of the output the answer. Each
// second a line follows with the packets and the bytes of payload that have arrived so far. The end of the input ends
// the program.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sync/atomic"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/report"
	"github.com/pion/interceptor/pkg/rfc8888"
	"github.com/pion/webrtc/v4"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// The interceptors that send receiver reports and the feedback of the given kind.
func makeInterceptors(kind string, media *webrtc.MediaEngine) *interceptor.Registry {
	registry := &interceptor.Registry{}
	reports, err := report.NewReceiverInterceptor()
	check(err)
	registry.Add(reports)
	if kind == "twcc" {
		check(webrtc.ConfigureTWCCSender(media, registry))
	} else {
		feedback, err := rfc8888.NewSenderInterceptor(rfc8888.SendInterval(60 * time.Millisecond))
		check(err)
		registry.Add(feedback)
	}
	return registry
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 || (os.Args[1] != "twcc" && os.Args[1] != "ccfb") {
		log.Fatal("usage: tfrc-pion twcc|ccfb")
	}
	media := &webrtc.MediaEngine{}
	check(media.RegisterDefaultCodecs())
	registry := makeInterceptors(os.Args[1], media)
	api := webrtc.NewAPI(webrtc.WithMediaEngine(media), webrtc.WithInterceptorRegistry(registry))
	peer, err := api.NewPeerConnection(webrtc.Configuration{})
	check(err)
	var packets, bytes atomic.Int64
	peer.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			packet, _, err := track.ReadRTP()
			if err != nil {
				return
			}
			packets.Add(1)
			bytes.Add(int64(len(packet.Payload)))
		}
	})

	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	check(err)
	var offer webrtc.SessionDescription
	check(json.Unmarshal(line, &offer))
	check(peer.SetRemoteDescription(offer))
	answer, err := peer.CreateAnswer(nil)
	check(err)
	gathered := webrtc.GatheringCompletePromise(peer)
	check(peer.SetLocalDescription(answer))
	<-gathered
	text, err := json.Marshal(peer.LocalDescription())
	check(err)
	fmt.Println(string(text))

	go func() {
		for range time.Tick(time.Second) {
			fmt.Printf("{\"packets\": %d, \"bytes\": %d}\n", packets.Load(), bytes.Load())
		}
	}()
	_, _ = input.ReadBytes('\n')
	check(peer.Close())
}
