/** The instant `ms` milliseconds after another. */
export const later = (instant: Date, ms: number): Date =>
  // oxlint-disable-next-line no-restricted-globals -- made from an instant, not from the clock
  new Date(instant.getTime() + ms);
