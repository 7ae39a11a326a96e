/** The largest declared amount: 9,999,999.99 SAR. Amounts are whole halalas (SAR × 100). */
export const maxHalalas = 999_999_999;

/**
 * Converts SAR of a JSON number to halalas; null for more than two decimals, 0 or less, or more
 * than {@link maxHalalas}. Reads the shortest decimal of the number: 1.15 is 115, and 1.005 is
 * null.
 */
export function halalasFromSar(sar: number): number | null {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(sar));
  if (match === null) return null;
  const halalas = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return halalas > 0 && halalas <= maxHalalas ? halalas : null;
}

/** Converts halalas to SAR: the double nearest to the decimal, which prints as that decimal. */
export const sarFromHalalas = (halalas: number): number => halalas / 100;
