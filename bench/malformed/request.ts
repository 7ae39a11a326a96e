import type { ErrorCode } from '../../domain/errors.ts';
import type { Json } from './json.ts';
import type { Random } from './random.ts';
import type { Route } from './routes.ts';

/** What requests are made for and from: rows that exist, and tokens that are good. */
export type Scene = {
  readonly routes: readonly Route[];
  /** Ids of rows that a path may name, in the place of its first and of its second id. */
  readonly idsFor: (template: string) => readonly (readonly string[])[];
  readonly tokens: () => Readonly<Record<Route['side'], string>>;
};

/** A request on its way to be malformed. Mutators change it in place. */
export type Draft = {
  readonly route: Route;
  readonly scene: Scene;
  readonly token: string;
  method: string;
  /** As it goes into the request line, without the query. */
  path: string;
  query: string[];
  headers: [name: string, value: string][];
  authorization: string | null;
  contentType: string | null;
  /** Until it is text. */
  json: Json | null;
  body: Buffer | null;
};

/** One way to malform a request. */
export type Mutator = {
  readonly name: string;
  readonly fits: (route: Route) => boolean;
  /** Answers the codes of which any may be the answer, now that this is wrong. Nothing else may be. */
  readonly mutate: (draft: Draft, random: Random) => readonly ErrorCode[];
};

/** A request that is malformed by the way it was made, and what it may be answered with. */
export type MalformedRequest = {
  /** The first of them decides in which line of the table it counts. */
  readonly mutators: readonly [string, ...string[]];
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  readonly allowed: ReadonlySet<ErrorCode>;
};

export const bodyError: readonly ErrorCode[] = ['VALIDATION_ERRORS'];
