import { startTestReceiver, type TestReceiver } from '../../support/webhooks/receiver.ts';

/**
 * Serves tokens to Schemathesis: `GET /NAME` answers `{accessToken}`. The gateway's own token
 * routes would need a credential that no generated call can delete.
 */
export async function serveTokens(
  issue: Readonly<Record<string, () => Promise<string>>>,
): Promise<TestReceiver> {
  const server = await startTestReceiver();
  server.answerWith((response) => {
    void issue[response.req.url?.slice(1) ?? '']?.().then(
      (accessToken) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ accessToken })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return server;
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
