/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "frameq.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_SIZE 2048u

struct frameq_entry {
	uint64_t due_ps;
	uint64_t sequence;
	struct frameq_entry *next_spare;
	struct frame frame;
	bool large;
	uint8_t data[];
};

void
frameq_init(struct frameq *q, unsigned int limit)
{
	memset(q, 0, sizeof(*q));
	q->limit = limit;
}

void
frameq_fini(struct frameq *q)
{
	for (unsigned int i = 0; i < q->nb; i++)
		free(q->heap[i]);
	for (unsigned int i = 0; i < 2; i++) {
		while (q->spare[i] != NULL) {
			struct frameq_entry *entry = q->spare[i];

			q->spare[i] = entry->next_spare;
			free(entry);
		}
	}
	free(q->heap);
	frameq_init(q, q->limit);
}

static struct frameq_entry *
entry_get(struct frameq *q, uint16_t len)
{
	const bool large = len > SMALL_SIZE;
	struct frameq_entry *entry = q->spare[large];

	if (entry != NULL) {
		q->spare[large] = entry->next_spare;
		return entry;
	}
	entry = malloc(sizeof(*entry) + (large ? DEVICE_FRAME_MAX : SMALL_SIZE));
	if (entry != NULL)
		entry->large = large;
	return entry;
}

static bool
grow(struct frameq *q)
{
	unsigned int room = q->room == 0 ? 64 : q->room * 2;
	struct frameq_entry **heap;

	if (q->nb < q->room)
		return true;
	heap = realloc(q->heap, room * sizeof(struct frameq_entry *));
	if (heap == NULL)
		return false;
	q->heap = heap;
	q->room = room;
	return true;
}

static bool
before(const struct frameq_entry *a, const struct frameq_entry *b)
{
	return a->due_ps != b->due_ps ? a->due_ps < b->due_ps : a->sequence < b->sequence;
}

bool
frameq_push(struct frameq *q, const struct frame *frame, uint64_t due_ps)
{
	struct frameq_entry *entry;
	unsigned int at;

	if (q->nb >= q->limit || frame->len > DEVICE_FRAME_MAX || !grow(q))
		return false;
	entry = entry_get(q, frame->len);
	if (entry == NULL)
		return false;
	memcpy(entry->data, frame->data, frame->len);
	entry->frame = *frame;
	entry->frame.data = entry->data;
	entry->due_ps = due_ps;
	entry->sequence = q->next_sequence++;
	for (at = q->nb++; at != 0; at = (at - 1) / 2) {
		if (!before(entry, q->heap[(at - 1) / 2]))
			break;
		q->heap[at] = q->heap[(at - 1) / 2];
	}
	q->heap[at] = entry;
	return true;
}

bool
frameq_peek(const struct frameq *q, struct frame *frame, uint64_t *due_ps)
{
	if (q->nb == 0)
		return false;
	*frame = q->heap[0]->frame;
	*due_ps = q->heap[0]->due_ps;
	return true;
}

void
frameq_pop(struct frameq *q)
{
	struct frameq_entry *first = q->heap[0], *last = q->heap[--q->nb];
	unsigned int at = 0;

	first->next_spare = q->spare[first->large];
	q->spare[first->large] = first;
	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child + 1 < q->nb && before(q->heap[child + 1], q->heap[child]))
			child++;
		if (child >= q->nb || !before(q->heap[child], last))
			break;
		q->heap[at] = q->heap[child];
		at = child;
	}
	if (q->nb != 0)
		q->heap[at] = last;
}
