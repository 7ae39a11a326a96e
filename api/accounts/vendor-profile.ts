import * as v from 'valibot';
import {
  findVendorProfile,
  lockVendorProfile,
  storeVendorProfile,
  type VendorProfile,
} from '../../db/accounts/vendor-profile.ts';
import { audit } from '../operator/audit.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { clearableEmail, filledText } from '../validation/fields.ts';
import { vendorProfile, vendorProfileResponse } from './responses/vendor-profile.ts';
import type { Routes } from '../validation/compiler.ts';

const config = { capability: 'Account' } as const;
const answer = envelope(vendorProfileResponse);
const tags = ['Vendor profile'];
const updateBody = v.strictObject({
  name: described(
    v.optional(v.nullable(filledText(255))),
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

/** Vendors are never deleted, and a token names one that there is. */
function present<T>(found: T | null): T {
  if (found === null) throw new Error('the vendor of a token is not there');
  return found;
}

/** `GET` and `PATCH /api/v1/vendor/profile` (D55). */
export function vendorProfileRoutes(app: Routes, dependencies: Dependencies): void {
  readRoute(app, dependencies);
  updateRoute(app, dependencies);
}

function readRoute(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/api/v1/vendor/profile',
    {
      config,
      schema: {
        response: { 200: answer },
        tags,
        summary: 'Read your profile',
        operationId: 'getVendorProfile',
        description:
          'Who you are to the service, and the pricing model of your agreement, which tells whether ' +
          '`cost` or `salePrice` is your price field.',
      },
    },
    async (request) =>
      success(vendorProfile(present(await findVendorProfile(sql, vendorOf(request).vendorId)))),
  );
}

function updateRoute(app: Routes, { sql }: Dependencies): void {
  app.patch(
    '/api/v1/vendor/profile',
    {
      config,
      schema: {
        body: updateBody,
        response: { 200: answer },
        tags,
        summary: 'Update your profile',
        operationId: 'updateVendorProfile',
        description:
          'Changes your name, your contact address or both. What is left out, or null, stays; a ' +
          'blank `contactEmail` clears it. The pricing model is changed by the service only.',
      },
    },
    async (request) => {
      const { vendorId } = vendorOf(request);
      const after = await sql.begin(async (transaction) => {
        const before = present(await lockVendorProfile(transaction, vendorId));
        const changed = { ...before, ...changesOf(request.body) };
        if (changed.name === before.name && changed.contactEmail === before.contactEmail)
          return before;
        await storeVendorProfile(transaction, changed);
        await audit(transaction, request, {
          action: 'vendor.profile',
          subjectType: 'vendor',
          subjectId: vendorId,
          ...auditedChange(before, changed),
        });
        return changed;
      });
      return success(vendorProfile(after));
    },
  );
}

/** What was said; null says nothing of a name. */
const changesOf = ({ name, contactEmail }: v.InferOutput<typeof updateBody>) => ({
  ...(name === undefined || name === null ? {} : { name }),
  ...(contactEmail === undefined ? {} : { contactEmail }),
});

/** Whose address it is, is nobody's business in a log: that it changed is enough. */
const auditedChange = (before: VendorProfile, after: VendorProfile) => ({
  before: { name: before.name },
  after: {
    name: after.name,
    ...(after.contactEmail === before.contactEmail ? {} : { contactEmail: 'changed' }),
  },
});
