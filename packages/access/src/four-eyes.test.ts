import { expect, test } from 'vitest';
import { obstacleTo, type Reviewed, statusAfter } from './four-eyes.ts';

const waiting: Reviewed = {
  requesterId: 'maker',
  beneficiaryId: 'friend',
  deciderId: null,
  status: 'awaiting_approval',
};
const approved: Reviewed = { ...waiting, deciderId: 'checker', status: 'approved' };
const approve = { kind: 'approve' } as const;
const refuse = { kind: 'refuse', reason: 'a reason' } as const;

test.each([
  ['another person approves', waiting, approve, { by: 'checker' }, undefined],
  ['another person refuses', waiting, refuse, { by: 'checker' }, undefined],
  ['the requester approves', waiting, approve, { by: 'maker' }, 'is_requester'],
  ['the requester refuses', waiting, refuse, { by: 'maker' }, 'is_requester'],
  ['the beneficiary approves', waiting, approve, { by: 'friend' }, 'is_beneficiary'],
  ['the decider repeats the decision', approved, approve, { by: 'checker' }, 'decided_so'],
  ['the decider takes the other decision', approved, refuse, { by: 'checker' }, 'closed'],
  ['a third person takes the same decision', approved, approve, { by: 'third' }, 'closed'],
  ['the requester decides late', approved, approve, { by: 'maker' }, 'is_requester'],
  ['it has expired', { ...waiting, status: 'expired' }, approve, { by: 'checker' }, 'closed'],
] as const)('when %s', (...[, reviewed, decision, { by }, obstacle]) => {
  expect(obstacleTo(reviewed, decision, by)).toBe(obstacle);
});

test('a decision has one status', () => {
  expect([statusAfter(approve), statusAfter(refuse)]).toEqual(['approved', 'refused']);
});
