import { expect, test } from 'vitest';
import { hasRole, operatorRoles } from '../../../domain/accounts/operator-roles.ts';

test('a role opens its own routes only, Admin opens all', () => {
  for (const needed of operatorRoles) {
    for (const held of operatorRoles) {
      expect(hasRole([held], needed)).toBe(held === needed || held === 'Admin');
    }
    expect(hasRole([], needed)).toBe(false);
  }
});
