import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createWebhookReceiver, WebhookVerificationError } from 'vendor-gateway-client/webhooks';

const { WEBHOOK_SECRET = '', PORT = '8790' } = process.env;
const receiver = createWebhookReceiver({
  secret: WEBHOOK_SECRET,
  handle: (event) => {
    if (event.eventType === 'vendor.order.assigned') console.log('ship', event.data.groupId);
    else if (event.eventType === 'vendor.offer.review-decision')
      console.log(event.data.vendorExternalId, event.data.decision);
    else if (event.eventType === 'unknown') console.log('of a later version:', event.receivedType);
    else console.log(event.eventType, event.sequence);
  },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    let body = Buffer.alloc(0);
    for await (const chunk of request) {
      body = Buffer.concat([body, chunk as Buffer]);
      // The gateway sends at most 64 KiB; anyone else may send more.
      if (body.length > 65_536) {
        response.writeHead(413, { connection: 'close' }).end();
        return;
      }
    }
    await receiver.receive(body, request.headers);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening', server.address()));
