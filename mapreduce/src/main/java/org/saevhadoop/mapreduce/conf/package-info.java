/**
 * Typed settings. This package is independent of any dataset format.
 *
 * <p>The class to begin with is {@link org.saevhadoop.mapreduce.conf.SettingKey}. It describes one
 * setting: its name in a job's configuration, its default, its help, the options that set it on the
 * command line ({@link org.saevhadoop.mapreduce.conf.CommandOption}), and the {@link
 * org.saevhadoop.mapreduce.conf.ValueType} that parses it and defines its range. {@link
 * org.saevhadoop.mapreduce.conf.SettingTypes} has the common types. Help texts, option tables and
 * docs/configuration.md are generated from the keys.
 *
 * <p>{@link org.saevhadoop.mapreduce.conf.Settings} is an immutable set of keys with values. A
 * value is checked once, when it is parsed; callers get a value of the right type and within its
 * range.
 *
 * <p>{@link org.saevhadoop.mapreduce.conf.ConfSettings} is the only class that converts settings to
 * and from Hadoop's {@code Configuration}. Any text survives it: {@code Configuration} would expand
 * <code>${...}</code> and trim whitespace, and the XML file in which a job's configuration is
 * stored cannot hold some characters (XML 1.0, section 2.2), so such text is escaped ({@link
 * org.saevhadoop.mapreduce.conf.ConfText}). Values that a user writes into a configuration file or
 * passes with {@code -D} are trimmed and expanded as usual, unless their type takes them verbatim.
 *
 * <p>An invalid value causes a {@link org.saevhadoop.mapreduce.conf.SettingException} that names
 * the option or the key that the user set; the command line then ends with exit code 2.
 */
@NullMarked
package org.saevhadoop.mapreduce.conf;

import org.jspecify.annotations.NullMarked;
