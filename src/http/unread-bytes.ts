/** Bounds the memory of responses that slow clients have not read yet. The client with the most bytes gives way. */
import type { ServerResponse } from 'node:http';
import { ClientSlots, type SlotOwner } from '../queues/client-slots.ts';

const TOTAL_MAX_BYTES = 32 * 1024 * 1024;
/** The kernel's buffers mostly take smaller bodies: they are never refused. */
const SMALL_BYTES = 16 * 1024;

interface UnreadResponse {
  readonly response: ServerResponse;
  readonly owner: SlotOwner<UnreadResponse>;
  readonly bytes: number;
}

export function createUnreadBytes(totalMax = TOTAL_MAX_BYTES) {
  /** A slot is a byte. */
  const slots = new ClientSlots<UnreadResponse>();

  const release = (unread: UnreadResponse): void => {
    const { owner, bytes } = unread;
    if (owner.items.delete(unread)) slots.release(owner, bytes);
  };

  return {
    hasRoomFor: (client: string, bytes: number): boolean =>
      bytes < SMALL_BYTES ||
      slots.taken + bytes <= totalMax ||
      slots.findLargest(client, bytes) !== undefined,
    /** Counts a response until its end, and disconnects the oldest ones of the client with the most bytes. */
    add(response: ServerResponse, client: string, bytes: number): void {
      // An owner without slots would be forgotten while it has responses.
      if (bytes === 0) return;
      const owner = slots.acquire(client, bytes);
      const unread = { response, owner, bytes };
      owner.items.add(unread);
      response.once('close', () => release(unread));
      while (slots.taken > totalMax) {
        const [oldest = unread] = (slots.findLargest(client, 0) ?? owner).items;
        release(oldest);
        oldest.response.destroy();
      }
    },
  };
}
