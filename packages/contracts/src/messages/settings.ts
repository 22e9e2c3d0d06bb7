import type * as z from 'zod/mini';
import { SystemSettings } from '../http/settings.ts';

export const SETTINGS_CHANGED = 'settings.changed.v1';

/** The current system settings. */
export const SettingsChanged = SystemSettings;
export type SettingsChanged = z.infer<typeof SettingsChanged>;
