import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../config.ts';

/** Where Temporal is: the standard variables of its SDKs (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS_*, …). */
export const connectionOptions = (config: Config) =>
  loadClientConnectConfig({ overrideEnvVars: { ...config.temporalEnvironment }, disableFile: true })
    .connectionOptions;
