import { sliceOfPorts } from '@vuka/embedded-postgres/free-port';

/** Large enough ranges, for most numbers of test files that run side by side. */
const PARTS = 8;

// Servers of test files that run side by side choose different ports.
process.env.VUKA_PORTS = sliceOfPorts(Number(process.env.VITEST_POOL_ID), PARTS);
