/**
 * The order that a body is about. It relates a request of the driver to the webhook that the
 * receiver gets: every contender sends `orderGlobalId`. Empty if the text has none.
 */
export const orderKeyOf = (text: string): string =>
  /"orderGlobalId":"([^"]+)"/.exec(text)?.[1] ?? '';

/** In a body of a {@link Target}: the driver replaces it with a new key for each request. */
export const keyPlaceholder = '{orderKey}';
