import type { Answer, Method, Print } from './caller.ts';
import type { Receiver } from './receiver.ts';

export type StoryOptions = {
  readonly apiUrl: string;
  readonly operator: { readonly operatorId: string; readonly operatorSecret: string };
  readonly receiver: Receiver;
  /** The receiver's address; the vendor of each run subscribes a path of its own beneath it. */
  readonly receiverUrl: string;
  readonly print: Print;
  /** Makes names unique, so that the story can be played again on the same data. */
  readonly run: string;
};

/** One call in somebody's name. */
export type Call = (
  method: Method,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** What every chapter of the story plays on: two who act, what they have, and where it is told. */
export type Stage = {
  readonly asVendor: Call;
  readonly asOperator: Call;
  /** Without a token, and with any. */
  readonly asAnyone: Call;
  readonly as: (accessToken: string) => Call;
  readonly vendorId: string;
  /** The catalog's variant that the story's offers are matched to. */
  readonly variantId: string;
  readonly subscription: { readonly id: string; readonly path: string; readonly secret: string };
  readonly receiver: Receiver;
  readonly print: Print;
  readonly step: (text: string) => void;
  readonly run: string;
};
