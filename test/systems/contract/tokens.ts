import { createServer } from 'node:http';
import { listen } from '../../../process/health/listen.ts';

/**
 * Serves tokens to Schemathesis: `GET /NAME` answers `{accessToken}`. The gateway's own token
 * routes would need a credential that no generated call can delete.
 */
export async function serveTokens(issue: Readonly<Record<string, () => Promise<string>>>) {
  const server = createServer((request, response) => {
    void (async () => {
      try {
        const accessToken = await issue[request.url?.slice(1) ?? '']?.();
        response.writeHead(accessToken === undefined ? 404 : 200, {
          'content-type': 'application/json',
        });
        response.end(JSON.stringify({ accessToken }));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    })();
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    origin,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The addresses of the tokens, in Schemathesis's file format for logins (Web Fuzzing Commons). */
export const logins = (origin: string, names: readonly string[]): object => ({
  auth: names.map((name) => ({
    name,
    loginEndpointAuth: {
      verb: 'GET',
      externalEndpointURL: `${origin}/${name}`,
      token: {
        extractFrom: 'body',
        extractSelector: '/accessToken',
        sendIn: 'header',
        sendName: 'Authorization',
        sendTemplate: 'Bearer {token}',
      },
    },
  })),
});
