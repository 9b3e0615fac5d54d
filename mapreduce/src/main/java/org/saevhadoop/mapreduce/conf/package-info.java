/**
 * Typed settings. A {@link org.saevhadoop.mapreduce.conf.SettingKey} holds what there is to say
 * about one setting: its name in a job's configuration, the {@link
 * org.saevhadoop.mapreduce.conf.ValueType} that parses it and knows its range, its default, its
 * help, and the options that set it on the command line. {@link
 * org.saevhadoop.mapreduce.conf.Settings} are immutable values of keys; whatever reads them gets a
 * value of the right type that was checked once, when it was parsed.
 *
 * <p>{@link org.saevhadoop.mapreduce.conf.ConfSettings} is the only way between settings and
 * Hadoop's {@code Configuration}. Text goes through it unchanged: {@code Configuration} would
 * expand <code>${...}</code> and trim blanks, and the XML file in which a job travels lacks
 * characters, so such text is escaped ({@link org.saevhadoop.mapreduce.conf.ConfText}).
 *
 * <p>A wrong value is a {@link org.saevhadoop.mapreduce.conf.SettingException} that names what was
 * typed, the option or the key; the command line ends with exit code 2 then.
 */
package org.saevhadoop.mapreduce.conf;
