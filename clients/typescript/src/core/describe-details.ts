import { describeReason } from './connection-failure.ts';
import { isObject } from './json.ts';

const shortened = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;

/** A message of the gateway ends with what to do, so it stays whole. A value may be of any length. */
const messageMax = 400;
const valueMax = 100;

/** A value in a sentence; null for an object, which a sentence cannot show. */
function textOf(value: unknown, lengthMax = valueMax): string | null {
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '…').join(', ');
  if (typeof value === 'string') return shortened(value, lengthMax);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The details in the order in which they explain a refusal, with their words. */
const phrases: Readonly<Record<string, (text: string) => string>> = {
  message: (text) => text,
  requiredCapability: (text) => `requires the capability ${text}`,
  requiredRole: (text) => `requires the role ${text}`,
  notHeld: (text) => `you do not hold ${text}`,
  fieldToSend: (text) => `send ${text} instead`,
  parameters: (text) => `unknown: ${text}`,
  allowedParameters: (text) => `allowed: ${text}`,
  expected: (text) => `expected ${text}`,
  minimum: (text) => `at least ${text}`,
  maximum: (text) => `at most ${text}`,
  allowedValues: (text) => `allowed: ${text}`,
  allowedMethods: (text) => `allowed: ${text}`,
  received: (text) => `received ${text}`,
  status: (text) => `the status is ${text}`,
  action: (text) => `the action is ${text}`,
  reason: (text) => text,
};
/** Those that a message repeats. */
const inMessage: ReadonlySet<string> = new Set(['maximum', 'maxInProgress', 'reason']);
/** Those that another part of a message shows, or that are no reason. */
const shownElsewhere: ReadonlySet<string> = new Set(
  'errors field parameter path help requestId existing code details'.split(' '),
);

const fieldErrorsMax = 3;

/** The first fields that failed, such as `Cost is required; RawBrandName is required`. */
function describeFields(errors: readonly unknown[]): string {
  const texts = errors.slice(0, fieldErrorsMax).map((error) => {
    const { field, message } = isObject(error) ? error : {};
    return [field, message]
      .flatMap((part) => textOf(part || undefined, messageMax) ?? [])
      .join(' ');
  });
  const more = errors.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The new address, and what to do with it. */
function describeRedirect({ location, baseUrl }: Readonly<Record<string, unknown>>): string {
  if (typeof location !== 'string') return 'the address leads elsewhere';
  const remedy = typeof baseUrl === 'string' ? `; use the address ${baseUrl}` : '';
  return `the address leads to ${location}${remedy}`;
}

/** What the details of a state say, in words; an empty text if they say nothing. */
export function describeDetails(state: string, details: Readonly<Record<string, unknown>>): string {
  const { errors, reason } = details;
  if (state === 'CONNECTION_FAILED') return describeReason(textOf(reason ?? undefined));
  if (state === 'REDIRECTED') return describeRedirect(details);
  if (Array.isArray(errors) && errors.length > 0) return describeFields(errors);
  const isRepeated = (name: string): boolean =>
    typeof details['message'] === 'string' && inMessage.has(name);
  const known = Object.entries(phrases).flatMap(([name, phrase]) => {
    const text = textOf(details[name], name === 'message' ? messageMax : valueMax);
    return text === null || text === '' || isRepeated(name) ? [] : [phrase(text)];
  });
  const others = Object.entries(details).flatMap(([name, value]) => {
    if (Object.hasOwn(phrases, name) || shownElsewhere.has(name) || isRepeated(name)) return [];
    const text = textOf(value);
    return text === null ? [] : [`${name} ${text}`];
  });
  return [...known, ...others].join('; ');
}

/** {@link describeDetails}, with the parameter or the field that they are about, for one line. */
export function describeRefusal(state: string, details: Readonly<Record<string, unknown>>): string {
  const text = describeDetails(state, details);
  const name = textOf(details['parameter'] ?? details['field']);
  return shortened(
    [name, text].filter((part) => part !== null && part !== '').join(': '),
    messageMax,
  );
}
