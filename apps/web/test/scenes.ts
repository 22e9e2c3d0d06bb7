import { adminScenes, type Scene } from './admin-scenes.ts';
import { merchantScenes } from './merchant-scenes.ts';

/** Every page in every state in English, and in Kiswahili unless its steps find their controls by English names. */
export const scenes: readonly Scene[] = [...merchantScenes, ...adminScenes].flatMap(inBothLanguages);

function inBothLanguages(scene: Scene): Scene[] {
  if (scene.language || (scene.act && !scene.isBilingual)) return [scene];
  return [scene, { ...scene, name: `${scene.name}-sw`, language: 'sw' }];
}
