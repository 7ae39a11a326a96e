const isDigit = (point: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(point));

/** Unicode has the ten digits of a script one after the other, from its zero on. */
function valueOf(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(point - before - 1)) before += 1;
  return before % 10;
}

/** The text with the decimal digits of every script written as ASCII digits. */
export const withAsciiDigits = (text: string): string =>
  text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOf(digit)));
