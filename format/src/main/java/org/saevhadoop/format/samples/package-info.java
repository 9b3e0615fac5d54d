/**
 * Sample metadata: what is known of examples beside their values, such as ids, texts, original
 * shapes and dtypes. It travels as opaque JSON, in a file beside each data file ({@link
 * org.saevhadoop.format.samples.Sidecar}); docs/attributes.md has the format.
 */
package org.saevhadoop.format.samples;
