import type { DeliveryPipeline } from '../activities/deliveries/delivery-pipeline.ts';
import type { Release } from '../activities/deliveries/host-slots.ts';
import { createRunBudget } from './run-budget.ts';

/**
 * The most deliveries in hand of one vendor, and of all. The batch's run makes the attempts of
 * others.
 */
const ofVendorMax = 1000;
const inHandMax = 5000;

/** How many deliveries a claim may take, and the permits of the attempts that it may begin. */
type ClaimTerms = { readonly claimedMax: number; readonly permits: Release[] };

/** Decides what the relay may do with deliveries. */
export type Admission = {
  /**
   * May a batch with room for so many claim more? The caller gets the permits of the attempts that
   * it may begin, and releases those that it does not use. Null: no permit is free, and the latest
   * claims lacked no slot.
   */
  readonly mayClaim: (room: number) => ClaimTerms | null;
  /** Reports a claim; returns whether it has left messages behind. */
  readonly claimed: (terms: ClaimTerms, messages: number) => boolean;
  /** Reports an attempt that has found no free slot. */
  readonly lacksSlot: () => void;
  /** May the relay make the attempt of this vendor's delivery? Null: too many are in hand. */
  readonly mayBegin: (vendorId: string) => Release | null;
  /** May the delivery have a run of its own? */
  readonly mayHaveOwnRun: (delivery: { readonly isTest: boolean }) => boolean;
};

export function createAdmission(
  { recent }: Pick<DeliveryPipeline, 'recent'>,
  runsPerSecond: number,
): Admission {
  const mayRun = createRunBudget(runsPerSecond);
  const inHand = new Map<string, number>();
  let inHandOfAll = 0;
  /** Whether an attempt has found no slot since the latest claim that left no message behind. */
  let isShortOfSlots = false;

  const count = (vendorId: string, change: 1 | -1): void => {
    const ofVendor = (inHand.get(vendorId) ?? 0) + change;
    if (ofVendor === 0) inHand.delete(vendorId);
    else inHand.set(vendorId, ofVendor);
    inHandOfAll += change;
  };
  return {
    mayClaim: (room) => {
      const permits = takePermits(recent, room);
      // If slow receivers have no free slots, the relay claims more deliveries than it begins, so
      // that deliveries to other receivers do not wait behind.
      if (isShortOfSlots) return { claimedMax: room, permits };
      return permits.length > 0 ? { claimedMax: permits.length, permits } : null;
    },
    claimed: ({ claimedMax }, messages) => {
      const hasBacklog = messages === claimedMax;
      if (!hasBacklog) isShortOfSlots = false;
      return hasBacklog;
    },
    lacksSlot: () => {
      isShortOfSlots = true;
    },
    mayBegin: (vendorId) => {
      if (inHandOfAll >= inHandMax || (inHand.get(vendorId) ?? 0) >= ofVendorMax) return null;
      count(vendorId, 1);
      return () => count(vendorId, -1);
    },
    mayHaveOwnRun: ({ isTest }) => runsPerSecond > 0 && (isTest || mayRun()),
  };
}

/** Takes free permits for the attempts that a claim begins. The others begin with a slot. */
function takePermits(recent: DeliveryPipeline['recent'], permitsMax: number): Release[] {
  const permits: Release[] = [];
  for (;;) {
    const permit = permits.length < permitsMax ? recent.tryTake() : null;
    if (permit === null) return permits;
    permits.push(permit);
  }
}
