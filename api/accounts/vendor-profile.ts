import * as v from 'valibot';
import {
  readVendorProfile,
  storeVendorProfile,
  type VendorProfile,
} from '../../db/accounts/vendor-profile.ts';
import { audit } from '../operator/audit.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { clearableEmail, filledText } from '../validation/fields.ts';
import { vendorProfile, vendorProfileResponse } from './responses/vendor-profile.ts';

/** The body of an update. */
export const profileBody = v.strictObject({
  name: described(
    v.optional(v.nullable(filledText(255, 'name'))),
    'Your name. Omit it or send null to keep it.',
    'Oud & Amber Trading',
  ),
  contactEmail: described(
    clearableEmail,
    'The address at which the service reaches you. Omit it or send null to keep it; a blank text ' +
      'clears it.',
    'integration@oud-and-amber.example.com',
  ),
});

/** The fields that the caller sent; null keeps a name. */
const changesOf = ({ name, contactEmail }: v.InferOutput<typeof profileBody>) => ({
  ...(name === undefined || name === null ? {} : { name }),
  ...(contactEmail === undefined ? {} : { contactEmail }),
});

/** The audit log says that the address changed and does not repeat it: it is personal data. */
const auditedChange = (before: VendorProfile, after: VendorProfile) => ({
  before: { name: before.name },
  after: {
    name: after.name,
    ...(after.contactEmail === before.contactEmail ? {} : { contactEmail: 'changed' }),
  },
});

export const vendorProfileRoutes: AddRoutes = (app, { sql }) => {
  const route = vendorRoutes(app, { capability: 'Account', tag: 'Vendor profile' });
  route({
    at: 'GET /api/v1/vendor/profile',
    operationId: 'getVendorProfile',
    summary: 'Read your profile',
    description:
      'Reads your name, your contact address and the pricing model of your agreement. The ' +
      'pricing model decides whether `cost` or `salePrice` is your price field.',
    payload: vendorProfileResponse,
    handler: async ({ caller }) => vendorProfile(await readVendorProfile(sql, caller.vendorId)),
  });
  route({
    at: 'PATCH /api/v1/vendor/profile',
    operationId: 'updateVendorProfile',
    summary: 'Update your profile',
    description:
      'Changes your name, your contact address or both. A field that is absent or null keeps ' +
      'its value. A blank `contactEmail` clears it. Only an operator changes the pricing model.',
    body: profileBody,
    payload: vendorProfileResponse,
    handler: async ({ caller: { vendorId }, body, request }) => {
      const after = await sql.begin(async (transaction) => {
        const before = await readVendorProfile(transaction, vendorId, { isLocked: true });
        const changed = { ...before, ...changesOf(body) };
        if (changed.name === before.name && changed.contactEmail === before.contactEmail)
          return before;
        await storeVendorProfile(transaction, changed);
        const change = auditedChange(before, changed);
        await audit(transaction, request, 'vendor.profile', vendorId, change);
        return changed;
      });
      return vendorProfile(after);
    },
  });
};
