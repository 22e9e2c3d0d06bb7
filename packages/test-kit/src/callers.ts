/** An administrator whose PIN was checked recently, as identity describes a caller. */
export const adminCaller = {
  userId: '0190a000-0000-7000-8000-00000000ad01',
  isAdmin: true,
  adminId: 'ADM1',
  merchantId: null,
  name: 'Wanjiru',
  phone: '',
  pinVerified: false,
  pinRecent: true,
  tier: 'unverified' as const,
  isOnlyAdmin: false,
  role: 'owner' as const,
  factor: 'none' as const,
  factorRecent: false,
  requestId: 'test-request',
  address: '192.0.2.7',
};

/** A merchant who sent the PIN with the request. */
export const merchantCaller = {
  ...adminCaller,
  userId: '0190a000-0000-7000-8000-000000000001',
  isAdmin: false,
  adminId: null,
  role: null,
  merchantId: 'ABCD1234EFGH',
  name: 'Amina',
  phone: '+254712345678',
  pinVerified: true,
};
