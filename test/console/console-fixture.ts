import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { gatewayOver, type Gateway } from '../support/api/api.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { newOperator, type TestOperator } from '../support/api/actors.ts';
import { TemporalTimeout } from '../../temporal/temporal-failures.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

type Texts = Readonly<Record<string, string>>;
/** The fields of a form; several may have one name. */
type Form = Texts | [string, string][];

/** Headers of a browser that sends a form of the console's own page. */
export const ownPage = { 'sec-fetch-site': 'same-origin' } as const;

/** Sends a form, as a browser does. */
export const submit = (
  { app }: Pick<Gateway, 'app'>,
  url: string,
  form: Form,
  headers: Texts = ownPage,
  remoteAddress = '127.0.0.1',
) =>
  app.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: String(new URLSearchParams(form)),
  });

/** Sends the form of a decision, whose response is late: the API does only what `first` does. */
export async function submitLate(
  { sql }: Pick<Gateway, 'sql'>,
  ...[url, form, headers, first]: [string, Texts, Texts, (() => Promise<unknown>)?]
) {
  const late = () => Promise.resolve(first?.()).then(() => Promise.reject(new TemporalTimeout()));
  const decisions = { decideOffer: late, decideReturn: late };
  return submit(await gatewayOver(sql, { decisions }), url, form, headers);
}

/** Signs in, and returns the headers of a browser with the session, which replaces an earlier one. */
export async function signIn(
  gateway: Pick<Gateway, 'app'>,
  { operatorId, operatorSecret }: Pick<TestOperator, 'operatorId' | 'operatorSecret'>,
  earlier: Texts = ownPage,
): Promise<{ readonly cookie: string } & typeof ownPage> {
  const form = { operatorId, operatorSecret };
  const response = await submit(gateway, '/console/sign-in', form, earlier);
  const [cookie] = response.cookies;
  if (cookie === undefined) throw new Error(`no session: ${response.statusCode} ${response.body}`);
  return { ...ownPage, cookie: `${cookie.name}=${cookie.value}` };
}

/** A browser in which a new operator with the role is signed in. */
export async function browserOf(gateway: Gateway, role: OperatorRole) {
  const headers = await signIn(gateway, await newOperator(gateway, [role]));
  const open = (url: string, more: Texts = {}) =>
    gateway.app.inject({ url, headers: { ...headers, ...more } });
  return {
    headers,
    open,
    read: async (url: string): Promise<string> => (await open(url)).body,
    submit: (url: string, form: Form = {}, more: Texts = {}) =>
      submit(gateway, url, form, { ...headers, ...more }),
  };
}

export type Browser = Awaited<ReturnType<typeof browserOf>>;

type ApiResponse = Promise<LightMyRequestResponse>;

/** A response of the API that fails. */
export const failure = (statusCode: 503 | 504): LightMyRequestResponse => {
  const state = statusCode === 503 ? 'SERVICE_UNAVAILABLE' : 'GATEWAY_TIMEOUT';
  return answerOf(statusCode, { state, payload: null, details: {} });
};

/** A response of the API with an envelope. */
export const answerOf = (statusCode: number, envelope: object): LightMyRequestResponse =>
  ({ statusCode, headers: {}, json: () => envelope }) as unknown as LightMyRequestResponse;

/** Gives a file a browser for each role, and a test what changes the responses of the API. */
export const consoleTest = gatewayTest
  .extend('reviewer', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Reviewer'))
  .extend('operations', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Operations'))
  .extend('admin', { scope: 'file' }, ({ gateway }) => browserOf(gateway, 'Admin'))
  .extend('intercept', ({ gateway: { app } }, { onCleanup }) => {
    const inject = Reflect.get(app, 'inject') as (options: InjectOptions) => ApiResponse;
    onCleanup(() => {
      app.inject = inject as typeof app.inject;
    });
    return (respond: (options: InjectOptions, call: () => ApiResponse) => ApiResponse): void => {
      const responded = (options: InjectOptions) =>
        respond(options, () => inject.call(app, options));
      app.inject = responded as typeof app.inject;
    };
  });

/** A response with this status, whose page contains the text. */
export const shows = (statusCode: number, text: string | RegExp) => ({
  statusCode,
  body: (typeof text === 'string'
    ? expect.stringContaining(text)
    : expect.stringMatching(text)) as unknown,
});

/** The hidden fields of the form of a page that is posted and whose action ends so. */
export function hiddenFieldsOf(page: string, action: string): Record<string, string> {
  const [, form = ''] = page.split(new RegExp(`method="post" action="[^"]*${action}"`));
  const inputs = (form.split('</form>')[0] ?? '').matchAll(
    /<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g,
  );
  return Object.fromEntries(
    Array.from(inputs, ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

/** The text of an attribute's value. */
const unescaped = (value: string): string =>
  value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
