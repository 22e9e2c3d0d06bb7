import * as z from 'zod/mini';
import { DepositCurrency, Id, PinConfirmation, Timestamp } from './common.ts';
import { DECISION, decisionsQuery } from './decisions.ts';
import { SystemSettings } from './settings.ts';
import { Refusal } from './withdrawals.ts';

/** `superseded`: replaced by a newer proposal or a direct change. `expired`: not decided on within a day. */
export const ProposalStatus = z.enum(['awaiting_approval', 'approved', 'refused', 'superseded', 'expired']);
export type ProposalStatus = z.infer<typeof ProposalStatus>;

/** A change that one administrator proposes and another decides on. */
export const Proposal = z.object({
  id: Id,
  createdAt: Timestamp,
  /** The deadline for a decision. */
  expiresAt: Timestamp,
  status: ProposalStatus,
  ...DECISION,
  /** Whether the reader proposed it: then another administrator has to decide. */
  isOwn: z.boolean(),
});
export type Proposal = z.infer<typeof Proposal>;

/** Rates as entered, and how much of the other currency a merchant gets for one unit. */
const ProposedRates = z.object({
  buyRate: z.number(),
  markup: z.number(),
  kesToTzs: z.number(),
  tzsToKes: z.number(),
});

/** `before` holds the rates in force when the change was proposed. */
export const RateProposal = z.extend(Proposal, { before: ProposedRates, after: ProposedRates });
export type RateProposal = z.infer<typeof RateProposal>;

/** Whole units, as in the settings. */
const RaisedLimit = z.object({
  kind: z.enum(['withdrawal', 'credit']),
  currency: DepositCurrency,
  from: z.string(),
  to: z.string(),
});
export type RaisedLimit = z.infer<typeof RaisedLimit>;

export const LimitProposal = z.extend(Proposal, { limits: z.array(RaisedLimit) });
export type LimitProposal = z.infer<typeof LimitProposal>;

/** The settings in force; with 202, also the raised limits that wait for another administrator. */
export const SavedSystemSettings = z.extend(SystemSettings, { proposal: z.optional(LimitProposal) });
/** The same with a limit that waits for another administrator. */
export const SystemSettingsWithProposal = z.extend(SystemSettings, { proposal: LimitProposal });

/** The query of both lists, newest first. */
export const ProposalsQuery = decisionsQuery(ProposalStatus.options);
export type ProposalsQuery = z.infer<typeof ProposalsQuery>;

/** `GET /api/admin/rate-proposals`; `nextCursor` is null on the last page. */
export const RateProposals = z.object({ proposals: z.array(RateProposal), nextCursor: z.nullable(Id) });
export type RateProposals = z.infer<typeof RateProposals>;

/** `GET /api/admin/limit-proposals`; `nextCursor` is null on the last page. */
export const LimitProposals = z.object({ proposals: z.array(LimitProposal), nextCursor: z.nullable(Id) });
export type LimitProposals = z.infer<typeof LimitProposals>;

/** The answer to a decision, and to a change that awaits one. */
export const RateProposalAnswer = z.object({ proposal: RateProposal });
export const LimitProposalAnswer = z.object({ proposal: LimitProposal });

/** `POST .../{id}/refuse`; `/approve` takes only the PIN. */
export const RefuseProposal = z.extend(Refusal, PinConfirmation.shape);
