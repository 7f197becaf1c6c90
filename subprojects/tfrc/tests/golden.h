/* libtfrc: the golden traces of ns-2 as tables, for tests
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_GOLDEN_H
#define TFRC_GOLDEN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_COLUMNS 64
#define GOLDEN_LINE 2048

typedef struct
{
  char names[GOLDEN_COLUMNS][16];
  unsigned n_columns;
  double *cells;                /* row by row; NAN where the file has nothing or a word */
  size_t n_rows;
} Table;

/* Splits `line` at its commas, in place. */
static unsigned
golden_split (char *line, char **fields)
{
  unsigned n = 0;

  line[strcspn (line, "\r\n")] = '\0';
  for (;;) {
    fields[n++] = line;
    line += strcspn (line, ",");
    if (*line == '\0' || n == GOLDEN_COLUMNS)
      return n;
    *line++ = '\0';
  }
}

static double
golden_number (const char *field)
{
  char *end;
  double value = strtod (field, &end);

  return end == field ? (double) NAN : value;
}

/* tests/data/golden/NAME.csv; free the cells. No rows when it cannot be read. */
static Table
golden_load (const char *name)
{
  Table table = { .n_columns = 0 };
  char path[512], line[GOLDEN_LINE], *fields[GOLDEN_COLUMNS];
  FILE *file;

  snprintf (path, sizeof path, "%s/golden/%s.csv", TFRC_TEST_DATA, name);
  file = fopen (path, "r");
  if (file == NULL)
    return table;
  if (fgets (line, sizeof line, file)) {
    table.n_columns = golden_split (line, fields);
    for (unsigned i = 0; i < table.n_columns; i++)
      snprintf (table.names[i], sizeof table.names[i], "%s", fields[i]);
  }
  while (fgets (line, sizeof line, file)) {
    unsigned n = golden_split (line, fields);

    table.cells = realloc (table.cells, (table.n_rows + 1) * table.n_columns * sizeof *table.cells);
    for (unsigned i = 0; i < table.n_columns; i++)
      table.cells[table.n_rows * table.n_columns + i] = i < n ? golden_number (fields[i]) : (double) NAN;
    table.n_rows++;
  }
  fclose (file);
  return table;
}

static double
golden_cell (const Table * table, size_t row, const char *name)
{
  for (unsigned i = 0; i < table->n_columns; i++)
    if (strcmp (table->names[i], name) == 0)
      return table->cells[row * table->n_columns + i];
  return (double) NAN;
}

/* The cell of a numbered column: I0, I1, ... */
static double
golden_cell_n (const Table * table, size_t row, const char *name, unsigned n)
{
  char numbered[16];

  snprintf (numbered, sizeof numbered, "%s%u", name, n);
  return golden_cell (table, row, numbered);
}

static int
golden_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Sorts `values`. */
static double
golden_quantile (double *values, size_t n, double q)
{
  qsort (values, n, sizeof *values, golden_compare);
  return n ? values[(size_t) ((double) (n - 1) * q + 0.5)] : (double) NAN;
}

#endif
