#!/usr/bin/env node
// npm links this file before the bundle exists; the bundle is made at the end of the install.
import '../dist/main.js';
