/**
 * Money is whole halalas (SAR × 100) inside, and a decimal only at the JSON edge (D16), so that a float's
 * rounding never shows.
 */

/** The largest amount a vendor may declare: 9,999,999.99 SAR (D16). */
export const maxHalalas = 999_999_999;

/**
 * SAR as a JSON number to halalas; null when it has more than two decimals, is not above 0 or exceeds
 * {@link maxHalalas}. Judged by the shortest decimal that names the number, so 1.15 is 115 and 1.005 is refused.
 */
export function halalasFromSar(sar: number): number | null {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(sar));
  if (match === null) return null;
  const halalas = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return halalas > 0 && halalas <= maxHalalas ? halalas : null;
}

/** Halalas to SAR as a JSON number: the double nearest to the decimal, which prints as that decimal. */
export const sarFromHalalas = (halalas: number): number => halalas / 100;
