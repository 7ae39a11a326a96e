import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { KeyRingError } from '../../security/key-ring.ts';
import { adoptOldKey, ringFileOf } from '../home-keys.ts';
import { readRuntimeInfo } from '../../embedded/state/runtime-info.ts';

/** Where the signing keys are. */
export type KeyPlace =
  | {
      readonly kind: 'file';
      readonly file: string;
      /** Of the embedded gateway that runs with them, if one does. */
      readonly apiUrl: string | undefined;
    }
  | {
      readonly kind: 'environment';
      readonly signingKey: string;
      readonly previousKey: string | undefined;
    };

/** What the configuration names, else the keys of the embedded start. Throws {@link KeyRingError} where there are none. */
export async function findKeys(config: Config): Promise<KeyPlace> {
  if (config.JWT_SIGNING_KEY !== undefined) {
    return {
      kind: 'environment',
      signingKey: config.JWT_SIGNING_KEY,
      previousKey: config.JWT_PREVIOUS_KEY,
    };
  }
  if (config.JWT_KEYS_FILE !== undefined) {
    return { kind: 'file', file: config.JWT_KEYS_FILE, apiUrl: undefined };
  }
  const home = config.GATEWAY_HOME;
  const file = ringFileOf(home);
  await adoptOldKey(home);
  if (!existsSync(file)) {
    throw new KeyRingError(
      'No keys: set JWT_KEYS_FILE, or start a gateway with `npm start` first.',
    );
  }
  return { kind: 'file', file, apiUrl: (await readRuntimeInfo(home))?.apiUrl };
}
