/**
 * Settings in Hadoop's {@code Configuration}.
 *
 * <p>{@link org.saevhadoop.mapreduce.conf.ConfSettings} is the only class that converts settings to
 * and from Hadoop's {@code Configuration}. Any text survives it: {@code Configuration} would expand
 * <code>${...}</code> and trim whitespace, and the XML file in which a job's configuration is
 * stored cannot hold some characters (XML 1.0, section 2.2), so such text is escaped. Values that a
 * user writes into a configuration file or passes with {@code -D} are trimmed and expanded as
 * usual, unless their type takes them verbatim.
 *
 * <p>{@link org.saevhadoop.mapreduce.conf.CommandConfiguration} is a configuration that is created
 * when it is first needed.
 */
@Internal
@NullMarked
package org.saevhadoop.mapreduce.conf;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
