/**
 * What is known of examples beside their numbers: a sample's id, texts, metadata, original shape
 * and dtype. It travels as JSON that nobody here looks into, in a file beside each data file
 * ({@link org.saevhadoop.format.attributes.Sidecar}); docs/attributes.md has the format.
 */
package org.saevhadoop.format.attributes;
