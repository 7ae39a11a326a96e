/**
 * Characters without a shape: marks of direction, zero-width characters, soft hyphens, selectors of
 * variants, and tags. A person cannot see or type them.
 */
const invisible =
  '\\u00ad\\u034f\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f' +
  '\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}';
const invisibleOnes = new RegExp(`[${invisible}]`, 'gu');

/** A text without invisible characters. */
export const withoutInvisible = (text: string): string => text.replaceAll(invisibleOnes, '');

/** Characters that change the direction of the text around them (U+202A-E, U+2066-9). */
const directionControl = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether a text, shown beside another, may change the order in which the other is read. */
export const overridesDirection = (text: string): boolean => directionControl.test(text);
