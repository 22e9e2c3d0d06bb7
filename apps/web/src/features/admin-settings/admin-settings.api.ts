import { queryOptions } from '@tanstack/react-query';
import { type LimitProposal, LimitProposals, SavedSystemSettings } from '@vuka/contracts/http/proposals';
import {
  NotificationSettings,
  type NotificationSettingsReplacement,
  SystemSettings,
  type SystemSettingsReplacement,
} from '@vuka/contracts/http/settings';
import type * as z from 'zod/mini';
import type { ProposalList } from '#shared/admin/review-list.ts';
import { callApi, type RequestOptions } from '#shared/api-client.ts';

export type Notifications = z.infer<typeof NotificationSettings>;

export function readNotificationSettings(options: Pick<RequestOptions, 'signal'> = {}) {
  return callApi('/api/admin/notification-settings', NotificationSettings, options);
}

export function notificationSettingsQuery() {
  return queryOptions({
    queryKey: ['/api/admin/notification-settings'],
    queryFn: ({ signal }) => readNotificationSettings({ signal }),
    staleTime: 0,
    refetchOnMount: true,
  });
}

export function readSystemSettings(options: Pick<RequestOptions, 'signal'> = {}) {
  return callApi('/api/admin/system-settings', SystemSettings, options);
}

export function systemSettingsQuery() {
  return queryOptions({
    queryKey: ['/api/admin/system-settings'],
    queryFn: ({ signal }) => readSystemSettings({ signal }),
    staleTime: 0,
    refetchOnMount: true,
  });
}

export const LIMIT_PROPOSALS: ProposalList<LimitProposal> = {
  key: ['/api/admin/limit-proposals'],
  schema: LimitProposals,
};

export function saveNotificationSettings(settings: NotificationSettingsReplacement) {
  return callApi('/api/admin/notification-settings', NotificationSettings, { method: 'POST', body: settings });
}

/** Saved at once, except raised limits where there is a second administrator. */
export function saveSystemSettings(settings: SystemSettingsReplacement) {
  return callApi('/api/admin/system-settings', SavedSystemSettings, { method: 'POST', body: settings });
}
