import { createOpenHttp, payloadOf, type Http, type OpenClientOptions } from '../core/http.ts';
import { delay } from '../core/send.ts';
import {
  at,
  atGroup,
  keyed,
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type PayloadOf,
} from '../core/operation-types.ts';

const vendors = '/api/v1/sandbox/vendors';
const orders = '/api/v1/sandbox/orders';
const returns = '/api/v1/sandbox/returns';
const clock = '/api/v1/sandbox/clock';
const approval = '/api/v1/sandbox/offers/{id}/approve';
const rejection = '/api/v1/sandbox/offers/{id}/reject';
const suspension = '/api/v1/sandbox/offers/{id}/suspend';
const decision = '/api/v1/sandbox/returns/{id}/decide';

/** A new vendor with its first credential, whose secret no later response has. */
export type SandboxRegistration = PayloadOf<typeof vendors, 'post'>;

/** Registers a vendor in a sandbox. The call needs no credential. */
export const registerSandboxVendor = (
  options: OpenClientOptions,
  body: BodyOf<typeof vendors, 'post'>,
  call?: CallOptions,
): Promise<SandboxRegistration> =>
  payloadOf(createOpenHttp(options).POST(vendors, { body, ...call }));

/** The vendor's clock in a sandbox. */
export type SandboxClock = PayloadOf<typeof clock, 'get'>;

/** An advance that ended before its target. `clock` is the clock where it stopped. */
export class AdvanceStoppedError extends Error {
  override readonly name = 'AdvanceStoppedError';
  readonly clock: SandboxClock;
  constructor(stopped: SandboxClock, target: string) {
    const { now, stopReason } = stopped;
    super(`The clock stopped at ${now}, before ${target}: ${stopReason ?? 'it was reset'}.`);
    this.clock = stopped;
  }
}

/** The time between two reads of a clock that advances. */
const clockReadMs = 500;

type AdvanceOptions = CreateOptions & {
  /** Gets the clock after each read while it advances. */
  readonly onProgress?: (clock: SandboxClock) => void;
};

/**
 * What a vendor may do in a sandbox as the marketplace: as reviewer, customer, carrier or staff.
 */
export function sandboxOf(http: Http) {
  const readClock = (options?: CallOptions): Promise<SandboxClock> =>
    payloadOf(http.GET(clock, options));
  const advance = (
    body: BodyOf<typeof clock, 'post'>,
    options?: CreateOptions,
  ): Promise<SandboxClock> => payloadOf(http.POST(clock, { ...keyed(options), body }));
  return {
    /** Without a `variantId`, an offer without a match is matched to a new variant. */
    approveOffer: (id: string, body: BodyOf<typeof approval, 'post'> = {}, options?: CallOptions) =>
      payloadOf(http.POST(approval, { ...at(id), body, ...options })),
    rejectOffer: (id: string, reason: string, options?: CallOptions) =>
      payloadOf(http.POST(rejection, { ...at(id), body: { reason }, ...options })),
    applyPendingPrice: (id: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/offers/{id}/pending-price/apply', { ...at(id), ...options }),
      ),
    discardPendingPrice: (id: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/offers/{id}/pending-price/discard', { ...at(id), ...options }),
      ),
    suspendOffer: (id: string, reason: string, options?: CallOptions) =>
      payloadOf(http.POST(suspension, { ...at(id), body: { reason }, ...options })),
    reinstateOffer: (id: string, options?: CallOptions) =>
      payloadOf(http.POST('/api/v1/sandbox/offers/{id}/reinstate', { ...at(id), ...options })),
    changeAgreement: (body: BodyOf<'/api/v1/sandbox/agreement', 'put'>, options?: CallOptions) =>
      payloadOf(http.PUT('/api/v1/sandbox/agreement', { body, ...options })),
    /** Without lines: one piece of each of up to three approved offers. */
    order: (body: BodyOf<typeof orders, 'post'> = {}, options?: CreateOptions) =>
      payloadOf(http.POST(orders, { ...keyed(options), body })),
    deliver: (groupId: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/orders/{groupId}/deliver', { ...atGroup(groupId), ...options }),
      ),
    cancel: (groupId: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/orders/{groupId}/cancel', { ...atGroup(groupId), ...options }),
      ),
    /** By default everything of the shipment, as defective, on its way to the vendor. */
    return: (body: BodyOf<typeof returns, 'post'>, options?: CreateOptions) =>
      payloadOf(http.POST(returns, { ...keyed(options), body })),
    approveReturn: (id: string, options?: CallOptions) =>
      payloadOf(http.POST('/api/v1/sandbox/returns/{id}/approve', { ...at(id), ...options })),
    markInTransit: (id: string, options?: CallOptions) =>
      payloadOf(http.POST('/api/v1/sandbox/returns/{id}/in-transit', { ...at(id), ...options })),
    startInspection: (id: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/returns/{id}/start-inspection', { ...at(id), ...options }),
      ),
    decide: (id: string, { outcome }: BodyOf<typeof decision, 'post'>, options?: CallOptions) =>
      payloadOf(http.POST(decision, { ...at(id), body: { outcome }, ...options })),
    releaseRefund: (id: string, options?: CallOptions) =>
      payloadOf(
        http.POST('/api/v1/sandbox/returns/{id}/refund-released', { ...at(id), ...options }),
      ),
    clock: readClock,
    /** Advances the clock, by a duration such as `PT72H`. Read `clock` until it is `Ready`. */
    advance,
    /**
     * Advances the clock and waits until everything that came due has happened. Rejects with an
     * {@link AdvanceStoppedError} if the advance ends before its target.
     */
    advanceAndWait: async (
      body: BodyOf<typeof clock, 'post'>,
      { onProgress, ...options }: AdvanceOptions = {},
    ): Promise<SandboxClock> => {
      const { signal = new AbortController().signal } = options;
      let read = await advance(body, options);
      const { target } = read;
      while (read.state === 'Advancing') {
        onProgress?.(read);
        await delay(clockReadMs, signal);
        read = await readClock({ signal });
      }
      if (read.stopReason !== null || Date.parse(read.now) < Date.parse(target))
        throw new AdvanceStoppedError(read, target);
      return read;
    },
    /** Deletes the vendor's offers, orders, returns, events and jobs. */
    reset: (options?: CallOptions) => payloadOf(http.POST('/api/v1/sandbox/reset', options)),
    closeReturn: (id: string, options?: CallOptions) =>
      payloadOf(http.POST('/api/v1/sandbox/returns/{id}/close', { ...at(id), ...options })),
  };
}
