/**
 * Preloaded by the sender's thread on Node before 22.18: tsx registers itself in the first thread
 * only.
 */
import { register } from 'tsx/esm/api';

register();
