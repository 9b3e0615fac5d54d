/**
 * Typed settings. This package is independent of any dataset format and of Hadoop.
 *
 * <p>The class to begin with is {@link org.saevhadoop.format.settings.SettingKey}, which describes
 * one setting: its name, type, default, help, and the options of the command line that set it.
 * {@link org.saevhadoop.format.settings.Settings} is an immutable set of keys with values; a value
 * is checked once, when it is parsed.
 *
 * <p>{@link org.saevhadoop.format.settings.SettingTypes} has the types, as {@link
 * org.saevhadoop.format.settings.ValueType}: each parses a text and shows a value as a text that it
 * parses to an equal value. An invalid text or an unknown name is a {@link
 * org.saevhadoop.format.settings.SettingException}, which names the option or key that was given.
 */
@NullMarked
package org.saevhadoop.format.settings;

import org.jspecify.annotations.NullMarked;
