import { inForms, type Glossary } from './entry.ts';
import { story } from './story.ts';

const credentials = ['Credential', 'CreatedCredential'];

/** Tokens, credentials and the vendor's profile. */
export const accountsGlossary: Glossary = {
  clientId: { description: "The credential's public name.", example: story.clientId },
  'createToken.clientSecret': {
    description: "The credential's secret.",
    example: story.clientSecret,
  },
  'CreatedCredential.clientSecret': {
    description: 'The secret. This answer alone has it; keep it where secrets are kept.',
    example: story.clientSecret,
  },
  operatorId: { description: "The operator's log-in name.", example: story.operatorId },
  operatorSecret: {
    description: "The operator's secret.",
    example: story.operatorSecret,
  },
  accessToken: {
    description: 'A signed JWT (EdDSA). Send it as `Authorization: Bearer …`; do not look into it.',
    example:
      'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.eyJhdWQiOiJ2ZW5kb3ItYXBpIn0.c2lnbmF0dXJl',
  },
  tokenType: { description: 'Always `Bearer`.' },
  expiresIn: {
    description: 'Seconds the token is good for: 300 for vendors, 900 for operators.',
    example: 300,
  },
  ...inForms(credentials, 'id', {
    description: "The credential's id.",
    example: story.credentialId,
  }),
  'path.credentials.id': { description: "The credential's id.", example: story.credentialId },
  environment: {
    description: 'Where it is good: `Production`, the one environment there is.',
    example: 'Production',
  },
  'header.X-Service-Environment': {
    description: 'The environment whose credentials are meant: `Production`, the one there is.',
    example: 'Production',
  },
  capabilities: {
    description:
      'What its tokens may do: a comma list, in answers in this order. `Offers`: submit and update offers. `Stock`: push stock. `Cost`: push cost and sale price. `Orders`: shipments, returns and webhooks. `Account`: credentials and profile.',
    example: 'Offers,Stock,Cost,Orders,Account',
  },
  expirationDate: {
    description: 'Until when it is good, in UTC: 365 days from its making.',
    example: '2027-11-01T12:00:00.000Z',
  },
  ...inForms(credentials, 'isActive', {
    description: 'Whether tokens are made of it; false also when it has expired.',
    example: true,
  }),
  isActive: { description: 'True switches it on, false off.', example: true },
  ...inForms(credentials, 'createdAt', {
    description: 'When it was made, in UTC.',
    example: '2026-11-01T12:00:00.000Z',
  }),
  'VendorProfile.id': { description: "The vendor's id.", example: story.vendorId },
  name: { description: "The vendor's name.", example: 'Oud & Amber Trading' },
  'updateVendorProfile.name': {
    description: 'Your name; left out or null, it stays.',
    example: 'Oud & Amber Trading',
  },
  contactEmail: {
    description:
      'Where the service reaches you; null when it was not told. In an update, left out or null it stays, and a blank text clears it.',
    example: 'integration@oud-and-amber.example.com',
  },
  vendorId: { description: "The vendor's id.", example: story.vendorId },
};
