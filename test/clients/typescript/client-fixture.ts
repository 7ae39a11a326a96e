import { createVendorClient } from '../../../clients/typescript/src/client.ts';
import type { VendorClientOptions } from '../../../clients/typescript/src/core/http.ts';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** What reached the gateway, as `METHOD path`. */
type Calls = readonly string[];
/** Answers instead of the gateway; undefined leaves the request to it. */
export type Intercept = (request: Request) => Response | Promise<Response> | undefined;

export type ClientFixture = {
  readonly gateway: Gateway;
  readonly baseUrl: string;
  readonly vendor: TestVendor;
  /** A client of the vendor, and what it has sent. */
  readonly connect: (
    intercept?: Intercept,
    options?: Partial<VendorClientOptions>,
  ) => { readonly client: ReturnType<typeof createVendorClient>; readonly calls: Calls };
};

/** Gives a file a gateway that listens on loopback, and clients of a vendor. */
export const clientTest = gatewayTest.extend(
  'clients',
  { scope: 'file' },
  async ({ gateway }): Promise<ClientFixture> => {
    const baseUrl = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const vendor = await newVendor(gateway);
    const { clientId, clientSecret } = vendor;
    return {
      gateway,
      baseUrl,
      vendor,
      connect: (intercept = () => undefined, options = {}) => {
        const calls: string[] = [];
        const client = createVendorClient({
          baseUrl,
          clientId,
          clientSecret,
          fetch: (request) => {
            calls.push(`${request.method} ${new URL(request.url).pathname}`);
            return Promise.resolve(intercept(request) ?? fetch(request));
          },
          ...options,
        });
        return { client, calls };
      },
    };
  },
);

export const logIn = 'POST /api/v1/auth/token';

/** An error answer of the gateway. */
export const refuse = (
  status: number,
  state: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  Response.json(
    { state, payload: null, details: {} },
    { status, headers: { 'x-request-id': 'request-1', ...headers } },
  );

/** Answers these one after another, and leaves later requests to the gateway. */
export function refuseFirst(
  matches: (request: Request) => boolean,
  ...answers: readonly (() => Response | Promise<Response>)[]
): Intercept {
  const left = [...answers];
  return (request) => (matches(request) ? left.shift()?.() : undefined);
}
