import { refOf } from '@vdo/kube/apply/object-ref';
import { isKept } from '@vdo/kube/apply/phases';
import { expect, test } from 'vitest';
import { worlds } from '../../testing/rendered-worlds.ts';
import { managedLabels } from '../shared/labels.ts';
import { ownedPlaces } from './owned-places.ts';

test.each(worlds)('everything of %s is found again: where the operator looks, and by its label', (_name, objects) => {
  const places = ownedPlaces('vmware-system-vdo');
  const lost = objects
    .filter((object) => !isKept(refOf(object)))
    .filter(({ kind, metadata }) => {
      const there = places.some(
        (place) =>
          place.kind === kind &&
          place.namespace === metadata.namespace &&
          (place.names === undefined || place.names.includes(metadata.name ?? '')),
      );
      return (
        !there || metadata.labels?.['app.kubernetes.io/managed-by'] !== managedLabels['app.kubernetes.io/managed-by']
      );
    });
  expect(lost.map((object) => `${object.kind} ${object.metadata.name}`)).toEqual([]);
});
