import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDemoCredentials } from '../../../embedded/state/demo-credentials.ts';
import { newFolder } from '../../support/folder.ts';
import { root } from '../../support/programs.ts';
import { operator } from '../processes/callers.ts';
import { demoTest } from '../processes/demo-fixture.ts';
import { guide } from './guide-steps.ts';

/**
 * Gives each test a vendor of its own, and the guides filled with its credential. The tests of a
 * file share the catalogue, to which each paste adds variants of its own.
 */
export const guideTest = demoTest
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await newFolder(onCleanup);
    // Programs find the client and the command line, as they do in the repository.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  })
  .extend('filled', async ({ gateway, apiUrl, receiverOrigin, folder, environment }) => {
    const { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET } = operator;
    const { vendor } = await ensureDemoCredentials(
      { GATEWAY_ENVIRONMENT: environment, GATEWAY_HOME: folder, OPERATOR_ID, OPERATOR_SECRET },
      gateway.ownerUrl,
    );
    const given = {
      'http://127.0.0.1:3000': apiUrl,
      'http://127.0.0.1:3100': apiUrl,
      'http://127.0.0.1:8790': receiverOrigin,
      'vc_…': vendor.clientId,
      'vs_…': vendor.clientSecret,
      'os_…': OPERATOR_SECRET,
      'VENDOR=…': `VENDOR=${vendor.id}`,
      '8790': new URL(receiverOrigin).port,
    };
    return (name: string): string =>
      Object.entries(given).reduce(
        (before, [placeholder, value]) => before.replaceAll(placeholder, value),
        guide(name, environment),
      );
  });
