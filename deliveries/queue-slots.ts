import { leastId } from '../db/checks/waiting-rows.ts';
import type { ClaimedDelivery, FreeSlots, Walk } from '../db/webhooks/delivery-queue.ts';
import { receiverOf, type HostSlots, type Release } from './host-slots.ts';

/** A subscription that may have fewer free slots than usual. */
type Subscription = {
  readonly receiver: string;
  /** The slots that it got in the line, for the next claim. */
  readonly got: Release[];
  /** Leave the line. */
  readonly waiting: Set<() => void>;
};

/**
 * The slots of first attempts. A subscription that has none for its deliveries in the queue enters
 * the line of its receiver, beside the further attempts of runs: neither waits for as long as
 * there are others. It keeps a slot that it gets until a claim has looked for its deliveries.
 */
export function createQueueSlots(slots: HostSlots, onSlot: () => void) {
  const usual = slots.free('', '');
  const subscriptions = new Map<string, Subscription>();

  const freeOf = (id: string, { receiver, got }: Subscription): number =>
    slots.free(receiver, id) + got.length;
  const enter = (id: string, { receiver, got, waiting }: Subscription): void => {
    // As many as further attempts may wait, so that the slots are shared equally.
    while (waiting.size + got.length < usual) {
      const leave = slots.enter(receiver, id, (release) => {
        waiting.delete(leave);
        got.push(release);
        onSlot();
      });
      waiting.add(leave);
    }
  };
  const leave = ({ got, waiting }: Subscription): void => {
    for (const each of waiting) each();
    waiting.clear();
    for (const release of got.splice(0)) release();
  };
  return {
    /** The subscriptions with fewer free slots than usual. */
    busy: (): readonly FreeSlots[] => {
      const busy: FreeSlots[] = [];
      for (const [subscriptionId, each] of subscriptions) {
        const free = freeOf(subscriptionId, each);
        if (free < usual) busy.push({ subscriptionId, slots: free });
        else if (each.waiting.size + each.got.length === 0) subscriptions.delete(subscriptionId);
      }
      return busy;
    },
    /** Takes a slot for a claimed delivery, if one is free. */
    tryTake: (claim: ClaimedDelivery): Release | null => {
      const id = claim.subscriptionId;
      const receiver = receiverOf(claim);
      let known = subscriptions.get(id);
      if (known?.receiver !== receiver) {
        // The subscription has another URL.
        if (known !== undefined) leave(known);
        known = { receiver, got: [], waiting: new Set() };
        subscriptions.set(id, known);
      }
      return known.got.pop() ?? slots.tryTake(receiver, id);
    },
    /**
     * Call it after a claim that began after a subscription. Returns whether a subscription with
     * more deliveries has got a free slot meanwhile.
     */
    settle: (after: string, { walkedTo, remaining }: Walk): boolean => {
      let hasSlot = false;
      for (const [id, each] of subscriptions)
        if (remaining.has(id)) {
          if (freeOf(id, each) > 0) hasSlot = true;
          else enter(id, each);
        } else if (id > after && (walkedTo === leastId || id <= walkedTo)) leave(each);
      return hasSlot;
    },
    stop: (): void => {
      for (const each of subscriptions.values()) leave(each);
    },
  };
}
