// What the scripts beside it use of TypeScript, as one module that esbuild makes importable.
export { architectures, debian, imageNames, layers } from './contents.ts';
export { readDeb } from './deb.ts';
export { debianMirror } from './debian-mirror.ts';
export { imageOf, layerOf, layoutFiles } from './oci.ts';
export { inOrder, nodeLayer, packageLayer } from './root-files.ts';
export { sbomOf } from './sbom.ts';
export { tarOf } from './tar.ts';
export { untarAll } from './untar.ts';
