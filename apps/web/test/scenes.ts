import { adminScenes, type Scene } from './admin-scenes.ts';
import { merchantScenes } from './merchant-scenes.ts';

/** Every page in every state, in English and Kiswahili. */
export const scenes: readonly Scene[] = [...merchantScenes, ...adminScenes].flatMap(inBothLanguages);

/** Steps find their controls by English names, so only scenes without steps are repeated in Kiswahili. */
function inBothLanguages(scene: Scene): Scene[] {
  if (scene.language || scene.act) return [scene];
  return [scene, { ...scene, name: `${scene.name}-sw`, language: 'sw' }];
}
