import { adminOf, confirmedAdminOf, decidingAdminOf } from '@vuka/access/caller';
import { listProposals, toProposal } from '@vuka/access/proposals';
import type { RoleNow } from '@vuka/access/requesters';
import { About } from '@vuka/contracts/http/about';
import {
  type LimitProposal,
  LimitProposalAnswer,
  LimitProposals,
  ProposalsQuery,
  SavedSystemSettings,
} from '@vuka/contracts/http/proposals';
import {
  NotificationSettings,
  NotificationSettingsReplacement,
  SystemSettings,
  SystemSettingsReplacement,
} from '@vuka/contracts/http/settings';
import { DecisionRequest } from '@vuka/contracts/internal/decisions';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import { decideLimitProposal } from './decide-limit-proposal.ts';
import { type Limits, toRaisedLimits } from './limit.domain.ts';
import {
  LIMIT_PROPOSALS,
  type LimitProposalRow,
  type SaveSettingsDeps,
  saveNotificationSettings,
  saveSystemSettings,
} from './save-settings.ts';
import { findNotificationSettings, findSystemSettings } from './settings.store.ts';

export interface SettingsRoutesDeps extends SaveSettingsDeps {
  roleNow: RoleNow;
  /** Present in demonstrations only. */
  simulator?: ServiceClient | undefined;
}

export function settingsRoutes(app: HttpApp, deps: SettingsRoutesDeps): void {
  app.get('/internal/about', { schema: { response: { 200: About } } }, async () => ({
    ...(await findSystemSettings(deps.db)),
    ...(deps.simulator ? { isDemo: true } : {}),
  }));
  app.get('/internal/settings/system', { schema: { response: { 200: SystemSettings } } }, (request) => {
    adminOf(request, 'settings.read');
    return findSystemSettings(deps.db);
  });
  app.post(
    '/internal/settings/system',
    { schema: { body: SystemSettingsReplacement, response: { 200: SavedSystemSettings } } },
    async (request) => {
      const caller = confirmedAdminOf(request, 'settings.change');
      const { settings, proposal } = await saveSystemSettings(deps, request.body, caller);
      if (!proposal) return settings;
      return { ...settings, proposal: toLimitProposal(proposal, caller.userId, deps.now()) };
    },
  );
  app.get(
    '/internal/settings/notification',
    { schema: { response: { 200: NotificationSettings } } },
    async (request) => {
      adminOf(request, 'settings.read');
      return findNotificationSettings(deps.db);
    },
  );
  app.post(
    '/internal/settings/notification',
    { schema: { body: NotificationSettingsReplacement, response: { 200: NotificationSettings } } },
    async (request) => {
      await saveNotificationSettings(deps, request.body, confirmedAdminOf(request, 'settings.change'));
      return request.body;
    },
  );
  limitProposalRoutes(app, deps);
}

function limitProposalRoutes(app: HttpApp, deps: SettingsRoutesDeps): void {
  app.get(
    '/internal/limit-proposals',
    { schema: { querystring: ProposalsQuery, response: { 200: LimitProposals } } },
    async (request) => {
      const { userId } = adminOf(request, 'limits.read');
      const at = deps.now();
      const page = await listProposals<Partial<Limits>>(deps.db, { ...request.query, subject: LIMIT_PROPOSALS }, at);
      return { proposals: page.rows.map((row) => toLimitProposal(row, userId, at)), nextCursor: page.nextCursor };
    },
  );
  app.post(
    '/internal/limit-proposals/decide',
    { schema: { body: DecisionRequest, response: { 200: LimitProposalAnswer } } },
    async (request) => {
      const caller = decidingAdminOf(request, 'limits.decide');
      const decided = await decideLimitProposal(deps, request.body, caller);
      return { proposal: toLimitProposal(decided, caller.userId, deps.now()) };
    },
  );
}

function toLimitProposal(row: LimitProposalRow, readerId: string, at: Date): LimitProposal {
  return { ...toProposal(row, readerId, at), limits: toRaisedLimits(row.before, row.after) };
}
