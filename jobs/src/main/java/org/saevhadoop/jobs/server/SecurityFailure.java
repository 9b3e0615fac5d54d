package org.saevhadoop.jobs.server;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.sasl.SaslException;
import org.ietf.jgss.GSSException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * Authentication failures: in Kerberos, and between a client and a server if only one of them is
 * secured. The phrases come from Hadoop's {@code SaslRpcClient}, {@code Client} and {@code Server},
 * and from the JDK's Kerberos.
 */
final class SecurityFailure {
  private static final Pattern MECHANISM =
      Pattern.compile("Mechanism level: (.*?)\\)?(?=]|$)", Pattern.DOTALL);

  private SecurityFailure() {}

  /** Returns the error for an authentication failure; null for any other failure. */
  static @Nullable FormatException of(RemoteServer server, @Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      FormatException error = phrase(server, String.valueOf(cause.getMessage()));
      if (error != null) {
        return error;
      }
    }
    Throwable last = null;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      last = cause instanceof GSSException || cause instanceof SaslException ? cause : last;
    }
    return last == null ? null : noCredentials(server, reason(last));
  }

  private static @Nullable FormatException phrase(RemoteServer server, String message) {
    if (message.contains("Client cannot authenticate via:")) {
      return noCredentials(server, "this client has no ticket");
    }
    if (message.contains("SIMPLE authentication is not enabled")) {
      return ContactError.SECURITY_MISMATCH.in(
          server.path(),
          "the %s %s requires Kerberos, which this client does not use (expected"
              + " hadoop.security.authentication=kerberos, in the core-site.xml of"
              + " HADOOP_CONF_DIR)",
          server.role(),
          server.shownAddresses());
    }
    if (message.contains("Server asks us to fall back to SIMPLE auth")) {
      return ContactError.SECURITY_MISMATCH.in(
          server.path(),
          "the %s %s does not use Kerberos, as this client does (expected a secured server, or"
              + " ipc.client.fallback-to-simple-auth-allowed=true to trust this one)",
          server.role(),
          server.shownAddresses());
    }
    int principal = message.indexOf("Server has invalid Kerberos principal");
    principal = principal < 0 ? message.indexOf("Failed to specify server's Kerberos") : principal;
    return principal < 0
        ? null
        : ContactError.SECURITY_MISMATCH.in(
            server.path(),
            "%s at %s: %s (expected the one that %s, or its .pattern, names)",
            server.role(),
            server.shownAddresses(),
            message.substring(principal).lines().findFirst().orElse("").replaceFirst("[;,] .*", ""),
            server.principalKey());
  }

  private static FormatException noCredentials(RemoteServer server, String reason) {
    return ContactError.NOT_AUTHENTICATED.in(
        server.path(),
        "the %s %s requires Kerberos: %s (expected a valid ticket: run kinit, see klist)",
        server.role(),
        server.shownAddresses(),
        reason);
  }

  /** Returns the message of Kerberos itself, without the phrases of GSS and SASL around it. */
  private static String reason(Throwable cause) {
    String text = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    Matcher mechanism = MECHANISM.matcher(text);
    return mechanism.find() ? mechanism.group(1) : text;
  }

  /** Returns whether a thread waits for a Kerberos server. */
  static boolean awaitsKerberos(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith("sun.security.krb5."));
  }
}
