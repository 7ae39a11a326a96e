/** Named bodies of an operation. */
export type BodyExamples = Readonly<
  Record<string, { readonly summary: string; readonly value: object }>
>;
/** By `METHOD /path`. */
export type RequestExamples = Readonly<Record<string, BodyExamples>>;
