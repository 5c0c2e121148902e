import { describeSessionStore } from '../../src/conformance/index.js';
import { openLmdbStore } from './lmdb-store.js';

describeSessionStore('a store on LMDB', openLmdbStore);
