import type { Capability } from '../../../domain/accounts/capabilities.ts';
import type { WalkedRoute } from './walk.ts';

/**
 * What a vendor's token needs for a route, any one of them, the first being the one that a refusal
 * names: the specification's part 5, and D15, D55 and D68 for the routes that it does not show.
 * None for the operators' routes and those without a token.
 */
export function capabilityFor({
  method,
  path,
  isOperators,
  needsToken,
}: WalkedRoute): readonly Capability[] {
  if (isOperators || !needsToken) return [];
  if (path === '/api/v1/credentials' && method === 'GET') return [];
  if (path.startsWith('/api/v1/credentials') || path === '/api/v1/vendor/profile')
    return ['Account'];
  if (path === '/api/v1/event-types') return [];
  if (path === '/api/v1/events') return ['Offers', 'Orders'];
  if (path === '/api/v1/upcoming') return ['Orders', 'Account'];
  if (path === '/api/v1/scent/variants') return ['Offers'];
  if (path.startsWith('/api/v1/scent/jobs')) return ['Offers', 'Stock', 'Cost'];
  if (!path.startsWith('/api/v1/scent/offers')) return ['Orders'];
  if (method === 'GET') return ['Offers', 'Stock', 'Cost'];
  if (path.endsWith('/cost') || path.endsWith('/sale-price')) return ['Cost'];
  return path.endsWith('/stock') ? ['Stock'] : ['Offers'];
}
