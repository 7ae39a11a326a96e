/** The languages of the console. */
export const languages = ['en', 'ar'] as const;
export type Language = (typeof languages)[number];

/** What an operator chooses for itself; null: as the browser has it. */
export type OperatorSettings = {
  readonly language: Language | null;
  /** A name of IANA. */
  readonly timeZone: string | null;
  /** Whether the console has keys. */
  readonly keys: boolean;
};

/** Whether the runtime knows the time zone; it takes offsets too, which name no zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
