import { expect, test } from 'vitest';
import { addressBlockOf, siteOf } from './address-block.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:1:ab02:3:4:5:6', '2001:db8:1:ab00'],
  ['2001:db8:1:abff::6', '2001:db8:1:ab00'],
  ['2001:db8:1:ac00::6', '2001:db8:1:ac00'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', 'unknown'],
])('the network of %j is %s', (address, network) => {
  expect(addressBlockOf(address)).toBe(network);
});

test.each([
  ['2001:db8:1:ab00', '2001:db8:1::'],
  ['2001:db8:0:0', '2001:db8:0::'],
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
  ['unknown', undefined],
])('the site of the block %j is %s', (block, site) => {
  expect(siteOf(block)).toBe(site);
});
